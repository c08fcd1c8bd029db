import { workspaceId } from '../../lib/session'
import { jsonQuery } from '../../lib/queries/query-options'
import { readJson, api, withIdempotencyKey } from '../../lib/api'
import type { AccountClasses, AccountClassesInput } from '../../../src/shared/account-classes'

export const accountClassesQuery = () =>
  jsonQuery<AccountClasses>(['accounts', workspaceId()], (options) => api.api['account-classes'].$get({}, options))

export const saveAccountClasses = (json: AccountClassesInput) =>
  readJson<AccountClasses>(api.api['account-classes'].$put({ json }, withIdempotencyKey()))
