import { api } from '../api'
import { userKey } from '../session'
import { jsonQuery } from './query-options'
import type { Profile } from '../../../src/shared/account'

/** What the person said about themselves, and which notices they want. */
export const profileQuery = () => jsonQuery<Profile>(userKey('profile'), (options) => api.api.profile.$get({}, options))
