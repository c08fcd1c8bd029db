import { queryOptions } from '@tanstack/react-query'
import { readJson, api, withIdempotencyKey } from '../../lib/api'
import { session } from '../../lib/session'
import type { AccountClasses, AccountClassesInput } from '../../../src/shared/account-classes'

export const accountClassesQuery = () =>
  queryOptions({
    queryKey: ['accounts', session().workspace?.id],
    queryFn: ({ signal }) => readJson<AccountClasses>(api.api['account-classes'].$get({}, { init: { signal } })),
  })

export const saveAccountClasses = (json: AccountClassesInput) =>
  readJson<AccountClasses>(api.api['account-classes'].$put({ json }, withIdempotencyKey()))
