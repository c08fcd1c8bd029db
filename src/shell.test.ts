import { expect, it } from 'vitest'
import { clientEntryOf } from './shell'

const MANIFEST = {
  'client/prepare.ts': { file: 'assets/prepare.js' },
  'client/main.tsx': { file: 'assets/main.js', css: ['assets/main.css'], imports: ['_app.js'] },
  '_app.js': { file: 'assets/app.js', css: ['assets/app.css'] },
  '_kit.js': { file: 'assets/kit.js', css: ['assets/kit.css'], imports: ['_app.js', '_turn.js'] },
  '_turn.js': { file: 'assets/turn.js', imports: ['_kit.js'] },
  'client/routes/one.tsx': { file: 'assets/one.js', css: ['assets/one.css'], imports: ['_kit.js', 'client/main.tsx'] },
}
const ENTRIES = ['client/prepare.ts', 'client/main.tsx']

it('names the scripts of the client in their order, with the style sheets that they need to be drawn', () => {
  expect(clientEntryOf(MANIFEST, ENTRIES, [])).toEqual({
    ...{ scripts: ['/assets/prepare.js', '/assets/main.js'], styles: ['/assets/app.css', '/assets/main.css'] },
    ...{ preload: ['/assets/app.js'], preloadedStyles: [], dev: false },
  })
})

it('asks for what a page is made of at once, each file one time, and lets its style sheets hold up no first paint', () => {
  const { styles, preload, preloadedStyles } = clientEntryOf(MANIFEST, ENTRIES, ['client/routes/one.tsx', 'gone.tsx'])
  expect(styles).toEqual(['/assets/app.css', '/assets/main.css'])
  expect(preload).toEqual(['/assets/app.js', '/assets/one.js', '/assets/kit.js', '/assets/turn.js'])
  expect(preloadedStyles).toEqual(['/assets/kit.css', '/assets/one.css'])
})

it('serves no page without the code of the client', () => {
  expect(() => clientEntryOf({}, ENTRIES, [])).toThrow('client/prepare.ts')
})
