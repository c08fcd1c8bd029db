import fc from 'fast-check'
import { expect, it } from 'vitest'
import { TextIndex } from './text-index'
import { areTextsIntact, TextPart, TextPartEncoder, type EncodedTexts } from './text-chunk'
import { anyText } from '../../../../test/worker/random/any-text'

const text = fc.oneof(fc.string(), anyText(), fc.constantFrom('', 'a', 'ab', 'Å', '日本', '😀x'))

it('numbers different texts from 1 on, and the same text the same, whatever the texts are', () => {
  fc.assert(
    fc.property(fc.array(text, { maxLength: 60 }), (texts) => {
      const wellFormed = texts.map((each) => each.toWellFormed())
      const index = new TextIndex()
      const known = new Map<string, number>()
      for (const each of wellFormed) {
        if (!known.has(each)) known.set(each, known.size + 1)
        expect(index.codeOf(each)).toBe(known.get(each))
      }
      expect(index.size).toBe(known.size)
      for (const [each, code] of known) expect(index.textAt(code)).toBe(each)
    }),
  )
})

it('numbers many texts that are much alike', () => {
  const index = new TextIndex()
  for (let i = 0; i < 30_000; i += 1) expect(index.codeOf(`customer-${i}`)).toBe(i + 1)
  for (let i = 0; i < 30_000; i += 1) expect(index.codeOf(`customer-${i}`)).toBe(i + 1)
  expect(index.textAt(777)).toBe('customer-776')
})

it('keeps texts in parts and gives each back as it was, empty cells apart from empty texts', () => {
  const long = fc.integer({ min: 1, max: 90_000 }).map((length) => 'å'.repeat(length))
  const cell = fc.option(fc.oneof({ weight: 9, arbitrary: text }, { weight: 1, arbitrary: long }), { nil: null })
  fc.assert(
    fc.property(fc.array(cell, { maxLength: 40 }), (cells) => {
      const texts = cells.map((each) => each?.toWellFormed() ?? null)
      const encoder = new TextPartEncoder()
      const parts: EncodedTexts[] = []
      for (const each of texts) parts.push(...[encoder.add(each)].filter((part) => part !== null))
      parts.push(...[encoder.end()].filter((part) => part !== null))
      expect(parts.every(areTextsIntact)).toBe(true)
      const read = parts.map((part) => new TextPart(part))
      const partOf = (row: number): TextPart | undefined => read.find((part) => part.holds(row))
      expect(texts.map((_, row) => partOf(row)?.text(row))).toEqual(texts)
      expect(texts.map((_, row) => partOf(row)?.peek(row))).toEqual(texts)
      expect(texts.map((_, row) => partOf(row)?.bytes(row))).toEqual(
        texts.map((each) => new TextEncoder().encode(each ?? '').length),
      )
    }),
    { numRuns: 60 },
  )
})
