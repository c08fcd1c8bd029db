import { expect, it } from 'vitest'
import { isRegisteredUri, parseRedirectUri } from './redirect-uri'

it('sends codes to pages by https and to the own machine, and nowhere else', () => {
  for (const text of [
    'https://app.example/cb?x=1',
    'http://127.0.0.1:4321/cb',
    'http://localhost/cb',
    'http://[::1]:9/a',
  ])
    expect([text, parseRedirectUri(text)?.href]).toEqual([text, text])
  const refused = [
    ...['http://app.example/cb', 'javascript:alert(1)', 'data:text/html,x', 'cursor://x/cb', 'https://a.example/#f'],
    ...[
      'https://user:pw@a.example/',
      'http://127.0.0.1.evil.example/cb',
      '//a.example',
      '/cb',
      '',
      'https://a.example/#',
    ],
  ]
  for (const text of refused) expect([text, parseRedirectUri(text)]).toEqual([text, null])
})

it('takes the announced address alone, and of the own machine any port', () => {
  const known = ['https://app.example/cb', 'http://127.0.0.1:1/cb']
  const of = (text: string) => isRegisteredUri(text, known)
  expect(['https://app.example/cb', 'http://127.0.0.1:1/cb', 'http://127.0.0.1:61000/cb'].map(of)).toEqual([
    true,
    true,
    true,
  ])
  const other = [
    ...[
      'https://app.example/cb/',
      'https://app.example/cb?x',
      'https://app.example:8443/cb',
      'https://evil.example/cb',
    ],
    ...['http://127.0.0.1:1/other', 'http://localhost:1/cb', 'https://127.0.0.1:1/cb'],
  ]
  for (const text of other) expect([text, of(text)]).toEqual([text, false])
})
