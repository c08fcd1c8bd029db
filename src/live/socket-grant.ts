import { z } from 'zod'
import type { LiveEvent } from '../shared/live'
import { ROLES } from '../shared/permissions'

/** Header of the call that opens a socket: {@link SocketGrant} as JSON. Only this Worker reaches the object. */
export const SOCKET_GRANT_HEADER = 'x-live-holder'

/** Whose new rows are told: all datasets', these, all but these; null: of some, of which none is known here. */
const audienceSchema = z
  .union([z.literal('all'), z.array(z.string()), z.strictObject({ except: z.array(z.string()) })])
  .nullable()

export const socketGrantSchema = z.strictObject({
  workspaceId: z.string(),
  userId: z.string(),
  session: z.string(),
  epoch: z.string(),
  role: z.enum(ROLES),
  access: z.string(),
  datasets: audienceSchema,
})
/** Who a socket belongs to, and what they may hear of. */
export type SocketGrant = z.infer<typeof socketGrantSchema>

/** What the object behind a workspace's open pages answers to. */
export interface WorkspaceHubRpc extends Rpc.DurableObjectBranded {
  /** Opens the socket of somebody who was let in. 503 while there are too many. */
  fetch(request: Request): Promise<Response>
  /** Tells every open page that may know, at once or at the end of the rest after the last message. */
  tell(events: LiveEvent[]): void
  /** Closes the sockets of these people (null: of everybody) whose membership, role or session is not what it was. */
  recheck(userIds: readonly string[] | null): Promise<void>
}
