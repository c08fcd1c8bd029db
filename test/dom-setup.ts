import '@testing-library/jest-dom/vitest'
import { cleanup } from '@testing-library/react'
import fc from 'fast-check'
import { afterEach } from 'vitest'
import { seedOf } from './seed'

fc.configureGlobal({ seed: seedOf(process.env['LONG'] === '1') })
afterEach(cleanup)
