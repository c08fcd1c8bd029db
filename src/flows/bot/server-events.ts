import type { BotEvent } from '../../shared/bot/conversations'

/** One event of a stream as the standard of server-sent events writes it; a line end is put behind it. */
export const serverEvent = ({ event, data }: BotEvent): string => `event: ${event}\ndata: ${JSON.stringify(data)}\n`
