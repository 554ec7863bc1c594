// Loaded before the suite, whose servers would listen on every interface: they listen on loopback instead.
//
// Some are asked for their port in the same breath. Naming a host to `listen` would look that name up first, which
// takes a moment longer; this is what `listen` does once it has an address.
const { Server } = require("node:net");

Server.prototype.listen = function (port, ...rest) {
  const listening = rest.find((argument) => typeof argument === "function");
  if (listening) this.once("listening", listening);
  this._listen2("127.0.0.1", Number(port), 4, 511);
  return this;
};
