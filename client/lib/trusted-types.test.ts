import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { harmlessHtml, ownScriptUrl } from './trusted-types'
import { tooltipCardHtml } from '../ui/chart/chart-frame'

describe('markup that a library hands to the browser', () => {
  it('is let in when it is empty, a style sheet or text', () => {
    for (const text of ['', ':root{--a:1}@media (min-width:1px){.b>c{d:e}}', 'a &lt;b&gt; & "c"'])
      expect(harmlessHtml(text)).toBe(text)
  })

  it('is let in when a tooltip made it, whatever people named their values', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.string(), (title, name, figure) => {
        const card = tooltipCardHtml({
          title,
          lines: [
            { name, figure, colour: '#123456' },
            { name, figure },
          ],
          note: name,
        })
        expect(harmlessHtml(card)).toBe(card)
      }),
    )
  })

  it.each([
    '<img src=x onerror=alert(1)>',
    '<script>alert(1)</script>',
    '<svg onload=alert(1)>',
    '<div onclick="alert(1)">a</div>',
    '<div style="a" onclick="b">c</div>',
    '<div style="a"onclick="b">c</div>',
    '<div style="<img src=x>">a</div>',
    '<b href="javascript:alert(1)">a</b>',
    '<a href="javascript:alert(1)">a</a>',
    '<base href="//evil.example">',
    '<iframe srcdoc="a"></iframe>',
    '<!-- a -->',
    '<<div>script>alert(1)</script>',
    '<di<b>v onclick=alert(1)>',
    '<DIV>a</DIV>',
    '<div\nonclick="alert(1)">',
  ])('is refused as %s', (html) => {
    expect(harmlessHtml(html)).toBeNull()
  })
})

describe('an address that becomes a script or a worker', () => {
  const page = 'https://insikt.example/insights/a?b'
  it('is let in when it is a file of the build or the script of the check', () => {
    expect(ownScriptUrl('/assets/preview-worker-1.js', page)).toBe('https://insikt.example/assets/preview-worker-1.js')
    const check = 'https://challenges.cloudflare.com/turnstile/v0/api.js?render=explicit'
    expect(ownScriptUrl(check, page)).toBe(check)
  })

  it.each([
    '/files/uploads/part',
    '/assets/../files/pictures/a',
    '//evil.example/assets/a.js',
    'https://insikt.example.evil/assets/a.js',
    'https://challenges.cloudflare.com.evil/turnstile/a.js',
    'https://challenges.cloudflare.com/other.js',
    'javascript:alert(1)',
    'data:text/javascript,alert(1)',
    'blob:https://insikt.example/0',
    'http://[',
  ])('is refused as %s', (url) => {
    expect(ownScriptUrl(url, page)).toBeNull()
  })
})
