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

/**
 * React's development build takes the stack of each of the first 10 000 elements of a second, to name owners in its warnings.
 * That is a quarter of the time of these tests, or more. With the count past its end it takes none; warnings say the same without them.
 */
const internals: unknown = Reflect.get(React, '__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE')
if (typeof internals === 'object' && internals !== null)
  Object.defineProperty(internals, 'recentlyCreatedOwnerStacks', { get: () => Infinity, set: () => {} })
