/** Digits that SQLite writes of floating point. */
const DIGITS = 15

/** Floating point as SQLite writes it as text: 15 digits, always with a decimal point, exponents from 10^15 on. */
export function realText(value: number): string {
  if (value === 0) return '0.0'
  const [mantissa = '', power = '0'] = value.toExponential(DIGITS - 1).split('e')
  const exponent = Number(power)
  if (exponent < -4 || exponent >= DIGITS) {
    const digits = withPoint(mantissa.replace(/0+$/, ''))
    return `${digits}e${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`
  }
  return withPoint(value.toFixed(Math.max(0, DIGITS - 1 - exponent)).replace(/(\.\d*?)0+$/, '$1'))
}
const withPoint = (digits: string): string =>
  digits.endsWith('.') ? `${digits}0` : digits.includes('.') ? digits : `${digits}.0`
