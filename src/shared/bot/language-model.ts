import { z } from 'zod'

/** `PUT /api/bot/model`: what of a workspace a language model may be given. `version` 0: nothing was set yet. */
export const modelSettingsSchema = z
  .strictObject({ model: z.boolean(), rowValues: z.boolean(), version: z.int().min(0) })
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
  /** 0: nothing was set yet. */
  version: number
  /** Answers of the model in this period; `max` null: unlimited. */
  usage: { used: number; max: number | null; resetsAt: string | null }
}

/** From this share of the allowance on, the people of a workspace are told. */
export const AI_QUOTA_NOTE_FROM = 0.8
