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
 * Those stacks took some 20 of 116 processor seconds of these tests. With the count past its end React takes none; its warnings
 * may then not name the owner of an element. Should React rename this, tests are slower and nothing else.
 */
const internals: unknown = Reflect.get(React, '__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE')
if (typeof internals === 'object' && internals !== null)
  Object.defineProperty(internals, 'recentlyCreatedOwnerStacks', { get: () => Infinity, set: () => {} })
