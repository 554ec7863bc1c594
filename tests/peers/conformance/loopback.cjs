// Loaded before the suite, whose servers would listen on every interface: they listen on loopback instead. They read
// their port right after `listen`, which a host name makes too early; a handle that is bound already is there at once.
const { Server } = require("node:net");
const { TCP, constants } = process.binding("tcp_wrap");

const listen = Server.prototype.listen;
Server.prototype.listen = function (port, ...rest) {
  const handle = new TCP(constants.SERVER);
  const failed = handle.bind("127.0.0.1", Number(port));
  if (failed) throw new Error(`cannot listen on loopback: ${failed}`);
  return listen.call(this, handle, ...rest.filter((one) => typeof one === "function"));
};
