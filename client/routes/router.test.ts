import { describe, expect, it } from 'vitest'
import { router } from './router'
import { PAGE_PATHS } from '../../src/shared/pages'

describe('router', () => {
  it('knows exactly the pages that the server serves', () => {
    const paths = Object.keys(router.routesByPath).map((path) => (path === '/' ? path : path.replace(/\/$/, '')))
    expect([...new Set(paths)].sort()).toEqual([...PAGE_PATHS].sort())
  })
})
