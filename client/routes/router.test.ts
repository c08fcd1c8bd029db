import { expect, it } from 'vitest'
import { router } from './router'
import { PAGE_PATHS } from '../../src/shared/pages'

it('knows the same pages as the server, which answers 404 for every other path', () => {
  const paths = Object.values(router.routesByPath).map(({ fullPath }) => fullPath)
  expect(paths.map((path: string) => path.replace(/(.)\/$/, '$1')).toSorted()).toEqual([...PAGE_PATHS].toSorted())
})
