import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { XmlScanner, type XmlHandler } from './xml-scanner'
import { ProductError } from '../../shared/errors'

/** What a scanner told of a document that came in these pieces. */
function events(pieces: string[], attributes: string[] = []): string[] {
  const found: string[] = []
  let text = ''
  const flush = (): void => {
    if (text !== '') found.push(text)
    text = ''
  }
  const handler: XmlHandler = {
    wantsText: true,
    open: (tag) => {
      flush()
      found.push(`<${[tag.name, ...attributes.map((name) => `${name}=${tag.attribute(name)}`)].join(' ')}>`)
    },
    close: (name) => {
      flush()
      found.push(`</${name}>`)
    },
    text: (piece) => {
      text += piece
    },
  }
  const scanner = new XmlScanner(handler)
  for (const piece of pieces) scanner.push(piece)
  scanner.end()
  return found
}
function reason(document: string): unknown {
  try {
    events([document])
  } catch (error) {
    if (error instanceof ProductError) return error.details['reason']
    throw error
  }
  return 'none'
}

const DOCUMENT = `<?xml version="1.0"?>\r\n<x:a b='1 > "0"' c = "&lt;é&#x41;&#66;"><!-- <no/> --><d/>one &amp; two\r\nthree<![CDATA[<4> & 5]]></x:a >\r`

describe('the XML scanner', () => {
  it('tells tags without prefixes, attributes with entities, texts, CDATA and line ends as XML has them', () => {
    expect(events([DOCUMENT], ['b', 'c'])).toEqual([
      '\n',
      '<a b=1 > "0" c=<éAB>',
      '<d b=undefined c=undefined>',
      '</d>',
      'one & two\nthree<4> & 5',
      '</a>',
    ])
  })

  it('tells the same however the document is cut', () => {
    const whole = events([DOCUMENT], ['b', 'c'])
    const cuts = fc.array(fc.nat(DOCUMENT.length), { maxLength: 12 })
    fc.assert(
      fc.property(cuts, (places) => {
        const sorted = [0, ...places.sort((a, b) => a - b), DOCUMENT.length]
        const pieces = sorted.slice(1).map((to, i) => DOCUMENT.slice(sorted[i], to))
        expect(events(pieces, ['b', 'c'])).toEqual(whole)
      }),
    )
  })

  it('finds attributes by their whole name, or behind any prefix when asked', () => {
    const seen: (string | undefined)[] = []
    new XmlScanner({
      wantsText: false,
      open: (tag) => seen.push(tag.attribute('id'), tag.local('id'), tag.attribute('r'), tag.attribute('x')),
      close: () => undefined,
      text: () => undefined,
    }).push(`<a grid="no" r:id='rId1' r="A1" y="x='5'"/>`)
    expect(seen).toEqual([undefined, 'rId1', 'A1', undefined])
  })

  it.each([
    ['<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>', 'unsafe'],
    ['<!DOCTYPE html><a/>', 'unsafe'],
    ['<a>&unknown;</a>', 'unsafe'],
    [`${'<a>'.repeat(5000)}`, 'unsafe'],
    [`<a b="${'x'.repeat(5_000_000)}`, 'unsafe'],
    ['<a><b></a>', 'broken'],
    ['<a', 'broken'],
    ['<a></a></a>', 'broken'],
    ['<a <b>', 'broken'],
    ['plain text', 'broken'],
    ['', 'broken'],
  ])('refuses %.40s as %s', (document, wanted) => {
    expect(reason(document)).toBe(wanted)
  })
})
