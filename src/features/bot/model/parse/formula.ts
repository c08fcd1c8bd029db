import { marksIn, numberIn } from './encoded'
import { parseFigures } from './figure-rules'
import type { Encoded } from './encoded'
import type { MeasureAsk } from './measure-ask'

/**
 * A definition in words and signs as a figure: "(total revenue - total cost) / total cost * 100". Null when it is none.
 * Words between the names that no rule reads are passed over; two names beside each other are not a formula.
 */
export function figureOfFormula(encoded: Encoded): MeasureAsk | null {
  encoded.text = encoded.text
    .replaceAll(/(?<=\D)\b(?:divided by|delat med)\b/g, '/')
    .replaceAll(/\bmultiplied by\b/g, '*')
    .replaceAll(/\bminus\b/g, '-')
    .replaceAll(/\bplus\b/g, '+')
  const held = holdSigns(encoded.text)
  encoded.text = held
  parseFigures(encoded)
  encoded.text = encoded.text.replaceAll(
    / (?:in|of|from|on|across) (?:the )?<m(\d+)>(?: tables?)?/g,
    (whole, at: string) => (encoded.mentions[Number(at)]?.matches[0]?.ref.kind === 'dataset' ? ' ' : whole),
  )
  // "salesperson sales count": the table before a figure says of what it is.
  encoded.text = encoded.text.replaceAll(/<m(\d+)> (?=<[mq])/g, (mark, at: string) =>
    encoded.mentions[Number(at)]?.matches[0]?.ref.kind === 'dataset' ? '' : mark,
  )
  // "Number of returned loans": the figure counts only these.
  encoded.text = encoded.text.replaceAll(
    /<q(\d+)> (?:for|of|with|in|from|that (?:are|were)) ((?:<v\d+> ?)+)/g,
    (_, at: string, held: string) => {
      const figure = encoded.figures[Number(at)]
      if (figure)
        encoded.figures[Number(at)] = {
          ...figure,
          only: { dates: figure.only?.dates ?? [], values: marksIn(held, 'v') },
        }
      return `<q${at}> `
    },
  )
  encoded.text = encoded.text.replaceAll(/(<q\d+>) <m(\d+)>/g, (whole, mark: string, at: string) =>
    encoded.mentions[Number(at)]?.matches[0]?.ref.kind === 'dataset' ? mark : whole,
  )
  perThings(encoded)
  if (/<v\d+>/.test(encoded.text)) return null
  const tokens = encoded.text.match(/<[mqvd]\d+>|[-+*/()]|\d+(?:\.\d+)?|[\p{L}]+/gu) ?? []
  const useful = operandsAlone(
    encoded,
    tokens.filter((token) => !/^\p{L}/u.test(token) && !/^<[vd]/.test(token)),
  )
  const reader = { tokens: useful, at: 0, encoded }
  const figure = sumOf(reader)
  return figure && reader.at === useful.length ? figure : null
}
const isTable = ({ mentions }: Encoded, token: string | undefined): boolean =>
  token?.startsWith('<m') === true && mentions[numberIn(token)]?.matches[0]?.ref.kind === 'dataset'
/** "Total amount per customer" divides by how many there are; "average fee per payment" of payments is that average. */
function perThings(encoded: Encoded): void {
  encoded.text = encoded.text.replaceAll(
    /<q(\d+)> per (?:each |every |the )?(<m\d+>)/g,
    (whole, at: string, mark: string) => {
      const figure = encoded.figures[Number(at)]
      if (!isTable(encoded, mark) || figure === undefined) return whole
      if (figure.kind === 'aggregate' && figure.agg === 'avg') {
        const [of, things] = [figure.of, numberIn(mark)].map((each) => encoded.mentions[each]?.matches[0]?.ref)
        const isOwn = of?.kind === 'column' && things?.kind === 'dataset' && of.dataset === things.dataset
        return isOwn ? `<q${at}>` : whole
      }
      const count = encoded.figures.push({ kind: 'count', of: numberIn(mark), distinct: true }) - 1
      return `<q${at}> / <q${count}>`
    },
  )
}
/** A table behind a figure only says of what it is: "the sum of amounts of all orders made by the customer". */
const operandsAlone = (encoded: Encoded, tokens: readonly string[]): string[] =>
  tokens.reduce<string[]>((kept, token) => {
    const before = kept.at(-1)
    const isBehind = before !== undefined && (/^<[mq]/.test(before) || before === ')')
    return isBehind && isTable(encoded, token) ? kept : [...kept, token]
  }, [])
/** Rules read two names with a sign between them; here signs are read by their precedence. */
const holdSigns = (text: string): string => text.replaceAll(/ ([-+*/]) /g, ' $1 ; ')

interface Reader {
  tokens: readonly string[]
  at: number
  encoded: Encoded
}
const SIGNS = { '+': 'add', '-': 'subtract', '*': 'multiply', '/': 'divide' } as const
type Sign = keyof typeof SIGNS
const isSign = (token: string | undefined): token is Sign => token !== undefined && token in SIGNS

function chain(reader: Reader, signs: readonly Sign[], part: (reader: Reader) => MeasureAsk | null): MeasureAsk | null {
  let left = part(reader)
  for (;;) {
    const sign = reader.tokens[reader.at]
    if (!left || !isSign(sign) || !signs.includes(sign)) return left
    reader.at += 1
    const right = part(reader)
    if (!right) return null
    left = { kind: 'calc', op: SIGNS[sign], left, right }
  }
}
const sumOf = (reader: Reader): MeasureAsk | null => chain(reader, ['+', '-'], productOf)
const productOf = (reader: Reader): MeasureAsk | null => chain(reader, ['*', '/'], atomOf)
function atomOf(reader: Reader): MeasureAsk | null {
  const token = reader.tokens[reader.at]
  if (token === undefined) return null
  reader.at += 1
  if (token === '(') {
    const inner = sumOf(reader)
    if (reader.tokens[reader.at] === ')') reader.at += 1
    return inner
  }
  if (token.startsWith('<q')) return reader.encoded.figures[numberIn(token)] ?? null
  if (token.startsWith('<m')) return { kind: 'named', of: numberIn(token) }
  return /^\d/.test(token) ? { kind: 'number', value: Number(token) } : null
}
