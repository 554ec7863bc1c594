//! Exponents that no reader computes with.

/// Whether a number's exponent has more than 18 digits, as it stands or as the canonical text would write it: there the
/// digits have no point and no zero at their end.
pub(super) fn is_endless(number: &str, exponent: &str) -> bool {
    let digits = exponent.trim_start_matches('0');
    if digits.len() < 18 {
        return false;
    }
    let Ok(size) = digits.parse::<i128>() else {
        return true;
    };
    let mantissa = number.split(['e', 'E']).next().unwrap_or_default();
    if digits.len() > 18 || !mantissa.bytes().any(|byte| matches!(byte, b'1'..=b'9')) {
        return digits.len() > 18;
    }
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let trailing = |text: &str| text.len() - text.trim_end_matches('0').len();
    let zeros = match trailing(fraction) {
        all if all == fraction.len() => all + trailing(whole),
        some => some,
    };
    let is_negative = number.as_bytes()[number.len() - exponent.len() - 1] == b'-';
    let size = if is_negative { -size } else { size };
    let length = |count: usize| i128::try_from(count).unwrap_or(i128::MAX >> 1);
    (size - length(fraction.len()) + length(zeros)).abs() >= ENDLESS
}

/// The first exponent of more than 18 digits.
const ENDLESS: i128 = 1_000_000_000_000_000_000;
