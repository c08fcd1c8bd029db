import { expect, it } from 'vitest'
import { failureOf } from './sync-failure'
import { ProductError } from '../../shared/errors'

it('says of a live table that is too large to be asked what to do, and takes no fault of our own for the source’s', () => {
  expect(failureOf(new ProductError('query_too_complex', { what: 'statement', max: 1 }), 'Shop')).toEqual({
    ...{ code: 'source_failed', reason: 'too_large', message: 'Shop: a live table is too large to be asked.' },
    mend: 'Import the table instead, or choose fewer columns.',
  })
  expect(failureOf(new TypeError('x is undefined'), 'Shop')).toBeNull()
})
