import '@testing-library/jest-dom/vitest'
import { cleanup, configure } from '@testing-library/react'
import fc from 'fast-check'
import * as React from 'react'
import { afterEach } from 'vitest'
import { seedOf } from './seed'

fc.configureGlobal({ seed: seedOf(process.env['LONG'] === '1') })
// Whether something comes is asked, not how soon: the machine may have other work.
configure({ asyncUtilTimeout: 15_000 })
afterEach(cleanup)

// React's development build notes with every element where it was made, in a stack that only its warnings would tell: a sixth of
// what a test of a screen costs. Past a number of elements a second it stops by itself; here that number is reached from the start.
const internals: unknown = Reflect.get(React, '__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE')
if (typeof internals === 'object' && internals !== null)
  Object.defineProperty(internals, 'recentlyCreatedOwnerStacks', {
    get: () => 10_000,
    set: () => {},
    configurable: true,
  })
