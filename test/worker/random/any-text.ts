import fc from 'fast-check'

const SURROGATES = { first: 0xd800, count: 0x800 }
const LAST = 0x10ffff

/**
 * Any character of Unicode, each as likely: what `unit: 'binary'` gives, which takes a second in every runtime to number
 * them all.
 */
const character = fc.nat(LAST - SURROGATES.count).map(
  (n) => String.fromCodePoint(n < SURROGATES.first ? n : n + SURROGATES.count),
  (text) => {
    const [only, ...others] = typeof text === 'string' ? text : ''
    const code = only?.codePointAt(0)
    if (code === undefined || others.length > 0) throw new Error('not one character')
    return code < SURROGATES.first ? code : code - SURROGATES.count
  },
)

/** Texts of any characters, names that mean something to the language among them. */
export const anyText = (constraints: fc.StringSharedConstraints = {}): fc.Arbitrary<string> =>
  fc.string({ ...constraints, unit: character })
