/** From so many places before the point on, and more zeros than this behind it, it writes an exponent. */
const WHOLE_DIGITS = 17
const ZEROS = 4

/**
 * Floating point as SQLite writes it as text: always with a decimal point. Of numbers with more than 15 digits as few are
 * written as tell them apart, where SQLite has 17.
 */
export function realText(value: number): string {
  if (value === 0) return '0.0'
  if (!Number.isFinite(value)) return value > 0 ? 'Inf' : '-Inf'
  const size = Math.abs(value)
  const [mantissa = '', power = '0'] = size.toExponential().split('e')
  const digits = mantissa.replace('.', '').replace(/0+$/, '')
  const exponent = Number(power)
  const sign = value < 0 ? '-' : ''
  if (exponent >= WHOLE_DIGITS || exponent < -ZEROS) {
    const places = String(Math.abs(exponent)).padStart(2, '0')
    return `${sign}${withPoint(digits, 1)}e${exponent < 0 ? '-' : '+'}${places}`
  }
  const zeros = '0'.repeat(Math.max(0, -exponent))
  return `${sign}${withPoint(zeros + digits, Math.max(1, exponent + 1))}`
}
const withPoint = (digits: string, at: number): string =>
  `${digits.slice(0, at).padEnd(at, '0')}.${digits.slice(at) === '' ? '0' : digits.slice(at)}`
