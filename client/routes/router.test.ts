import { expect, it } from 'vitest'
import { router } from './router'
import { ScreenSkeleton } from '../ui/skeletons'
import { PAGE_PATHS, partsOfPage } from '../../src/shared/pages'

it('holds the frame of a page while the code of its layout is on its way', () => {
  for (const layout of [router.routesById['/app'], router.routesById['/custom'], router.routesById['/admin']]) {
    const { pendingComponent, pendingMs } = layout.options
    expect([pendingComponent === ScreenSkeleton, pendingComponent === undefined, pendingMs]).toEqual([false, false, 0])
  }
})

it('knows the same pages as the server, which answers 404 for every other path', () => {
  const paths = Object.values(router.routesByPath).map(({ fullPath }) => fullPath)
  expect(paths.map((path: string) => path.replace(/(.)\/$/, '$1')).toSorted()).toEqual([...PAGE_PATHS].toSorted())
})

it('has the parts that the server asks for with a page, and the screen of a report among them', () => {
  const modules = Object.keys(import.meta.glob('./**/*.tsx')).map((path) => path.replace('./', 'client/routes/'))
  const parts = PAGE_PATHS.flatMap((path) => partsOfPage(path.replaceAll('$', '')))
  expect(modules).toEqual(expect.arrayContaining([...new Set(parts)]))
  const own = PAGE_PATHS.filter((path) =>
    partsOfPage(path.replaceAll('$', '')).some((part) => part.endsWith('report-route.tsx')),
  )
  expect(own).toEqual(['/reports/interactive/$id', '/reports/legacy/$id'])
})
