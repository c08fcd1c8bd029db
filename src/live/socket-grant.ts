import { z } from 'zod'
import { ROLES } from '../shared/permissions'

/** Header of the call that opens a socket: {@link SocketGrant} as JSON. Only this Worker reaches the object. */
export const SOCKET_GRANT_HEADER = 'x-live-holder'

export const socketGrantSchema = z.strictObject({
  workspaceId: z.string(),
  userId: z.string(),
  session: z.string(),
  epoch: z.string(),
  role: z.enum(ROLES),
  /** Null: some, of which none is known here. */
  datasets: z.union([z.literal('all'), z.array(z.string())]).nullable(),
})
/** Who a socket belongs to, and what they may hear of. */
export type SocketGrant = z.infer<typeof socketGrantSchema>
