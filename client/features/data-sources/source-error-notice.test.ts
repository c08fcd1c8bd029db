import { expect, it } from 'vitest'
import { describeSourceError } from './source-error-notice'
import { ApiError } from '../../lib/api'
import { createFormatter } from '../../../src/shared/figures/formatter'

it('says what to do about too many files on their way, and not that the plan has too few sources', () => {
  const message = '20 files of this workspace are still uploading. Wait until one is done, or cancel one.'
  const error = new ApiError(409, {
    code: 'limit_reached',
    message,
    requestId: '',
    limit: 'uploads',
    used: 20,
    max: 20,
  })
  expect(
    describeSourceError(error, createFormatter({ numberLocale: 'sv-SE', currency: 'SEK', timeZone: 'UTC' })),
  ).toMatchObject({
    title: '20 files of this workspace are still uploading',
    advice: 'Wait until one is done, or cancel one.',
    next: 'retry',
  })
})
