import '@testing-library/jest-dom/vitest'
import { cleanup, configure } from '@testing-library/react'
import fc from 'fast-check'
import { afterEach } from 'vitest'
import { seedOf } from './seed'

fc.configureGlobal({ seed: seedOf(process.env['LONG'] === '1') })
// Whether something comes is asked, not how soon: the machine may have other work.
configure({ asyncUtilTimeout: 15_000 })
afterEach(cleanup)
