import { z } from 'zod'

/** A workspace's own OpenAI-compatible endpoint. Without `apiKey` the stored one stays, as long as the address is the same. */
const ownModelSchema = z.strictObject({
  baseUrl: z
    .url({ protocol: /^https?$/, message: 'Enter a whole address, such as https://api.example.com/v1.' })
    .max(300),
  model: z.string().trim().min(1).max(120),
  apiKey: z.string().trim().min(1).max(500).optional(),
})
export type OwnModelInput = z.output<typeof ownModelSchema>

/**
 * `PUT /api/bot/model`: what of a workspace a language model may be given. `version` 0: nothing was set yet. `own`: the
 * workspace's own endpoint; null removes it, absent leaves it.
 */
export const modelSettingsSchema = z
  .strictObject({
    ...{ model: z.boolean(), rowValues: z.boolean(), version: z.int().min(0) },
    own: ownModelSchema.nullable().optional(),
  })
  .refine(({ model, rowValues }) => model || !rowValues, {
    path: ['rowValues'],
    message: 'Turn on the language model first.',
  })
export type ModelSettingsInput = z.output<typeof modelSettingsSchema>

/** `GET /api/bot/model`. */
export interface ModelSettings {
  /** Questions that the rules cannot read go to it. */
  model: boolean
  /** Values of columns go with them. */
  rowValues: boolean
  /** What the installation has set up; null: no model. */
  configured: { name: string; host: string } | null
  /** What the workspace uses in its place; its key is never told. */
  own: { baseUrl: string; model: string; hasKey: boolean } | null
  /** 0: nothing was set yet. */
  version: number
  /** Answers of the model in this period; `max` null: unlimited. */
  usage: { used: number; max: number | null; resetsAt: string | null }
}

/** From this share of the allowance on, the people of a workspace are told. */
export const AI_QUOTA_NOTE_FROM = 0.8
