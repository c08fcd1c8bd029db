import { idsFrom } from '../../../src/shared/ids'

const ids = idsFrom((length) => crypto.getRandomValues(new Uint8Array(length)))

/** The id of a group that is made here: it keeps it when it is stored. */
export const newGroupId = (): string => ids.next('grouped')
