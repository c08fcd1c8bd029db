import { ProductError } from '../../shared/errors'

/** What no database is asked for: a refusal in words, never another figure. */
export const notLive = (what: string): ProductError =>
  new ProductError(
    'query_too_complex',
    { what: 'live' },
    `${what} can’t be used on live data. Import the table instead.`,
  )
