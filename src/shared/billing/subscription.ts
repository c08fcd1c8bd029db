import { z } from 'zod'
import { ADD_ON_IDS, addOnById, PREMIUM_SYNC_IDS, SELLABLE_PLAN_IDS } from './plans'
import type { GateName, LimitName, PlanId } from './plans'
import type { AddOnQuantities, SubscriptionState } from './entitlements'
import { versionSchema } from '../field-schemas'
import { BILLING_INTERVALS, type MoneyAmount, type BillingInterval } from './prices'
import type { Role } from '../permissions'
import { emailSchema } from '../session'

/**
 * VAT numbers as the VIES of the European Commission writes them, by country prefix (Greece is EL).
 * Source: the structure table in the VIES' questions and answers. Only the form is checked, not whether it is in use.
 */
const TAX_ID_PATTERNS: Record<string, RegExp> = {
  AT: /^U\d{8}$/,
  BE: /^[01]\d{9}$/,
  BG: /^\d{9,10}$/,
  CY: /^\d{8}[A-Z]$/,
  CZ: /^\d{8,10}$/,
  DE: /^\d{9}$/,
  DK: /^\d{8}$/,
  EE: /^\d{9}$/,
  EL: /^\d{9}$/,
  ES: /^([A-Z]\d{7}[A-Z0-9]|\d{8}[A-Z])$/,
  FI: /^\d{8}$/,
  FR: /^[A-HJ-NP-Z0-9]{2}\d{9}$/,
  HR: /^\d{11}$/,
  HU: /^\d{8}$/,
  IE: /^(\d[A-Z0-9+*]\d{5}[A-Z]|\d{7}[A-W][A-I]?)$/,
  IT: /^\d{11}$/,
  LT: /^(\d{9}|\d{12})$/,
  LU: /^\d{8}$/,
  LV: /^\d{11}$/,
  MT: /^\d{8}$/,
  NL: /^[A-Z0-9+*]{12}$/,
  PL: /^\d{10}$/,
  PT: /^\d{9}$/,
  RO: /^\d{2,10}$/,
  SE: /^\d{12}$/,
  SI: /^\d{8}$/,
  SK: /^\d{10}$/,
  XI: /^(\d{9}|\d{12}|GD\d{3}|HA\d{3})$/,
}

/** The number without spaces, dots and hyphens, in capitals; null when no member state writes it so. */
function canonicalTaxId(text: string): string | null {
  const plain = text.replace(/[\s.-]/g, '').toUpperCase()
  const form = TAX_ID_PATTERNS[plain.slice(0, 2)]
  return form?.test(plain.slice(2)) ? plain : null
}

/** A valid EU VAT number as it is stored; empty for anything else. */
export const toEuVatNumber = (text: string): string => canonicalTaxId(text) ?? ''

const taxIdSchema = z.string().transform((text, ctx) => {
  const taxId = canonicalTaxId(text)
  if (taxId !== null) return taxId
  ctx.addIssue({ code: 'custom', message: 'Enter an EU VAT number, e.g. SE556677889901.' })
  return z.NEVER
})

export const PAYMENT_METHODS = ['card', 'invoice'] as const
export type PaymentMethod = (typeof PAYMENT_METHODS)[number]

/** How many of one add-on a workspace may hold. */
export const ADD_ON_MAX = 100

const addOnSchema = z.strictObject({
  id: z.enum([...ADD_ON_IDS, ...PREMIUM_SYNC_IDS]),
  qty: z.int().min(1).max(ADD_ON_MAX),
})
const isPremiumSync = (id: string): boolean => PREMIUM_SYNC_IDS.some((one) => one === id)

/** What is chosen: a plan on sale with its add-ons, or `legacy` (an older tier) with at most one Premium sync. */
const choiceFields = {
  planId: z.enum([...SELLABLE_PLAN_IDS, 'legacy']),
  interval: z.enum(BILLING_INTERVALS),
  addOns: z
    .array(addOnSchema)
    .max(ADD_ON_IDS.length)
    .default([])
    .refine((list) => new Set(list.map(({ id }) => id)).size === list.length, { message: 'Choose each add-on once.' })
    .refine((list) => list.every(({ id, qty }) => qty === 1 || !addOnById(id)?.onePerWorkspace), {
      message: 'Only one per workspace.',
    }),
}
const isAllowedCombination = (choice: { planId: string; addOns: { id: string }[] }): boolean =>
  choice.planId === 'legacy'
    ? choice.addOns.length <= 1 && choice.addOns.every(({ id }) => isPremiumSync(id))
    : !choice.addOns.some(({ id }) => isPremiumSync(id))
const COMBINATION_ERROR = { path: ['addOns'], message: 'This add-on isn’t available for the plan.' }

/** Body of `POST /api/subscription/preview`. `method` matters before the first payment only. */
export const previewChangeSchema = z
  .strictObject({ ...choiceFields, method: z.enum(PAYMENT_METHODS).default('card') })
  .refine(isAllowedCombination, COMBINATION_ERROR)

/** Body of `POST /api/stripe/checkout`. */
export const checkoutSchema = z
  .strictObject({ ...choiceFields, method: z.enum(PAYMENT_METHODS) })
  .refine(isAllowedCombination, COMBINATION_ERROR)
export type CheckoutInput = z.input<typeof checkoutSchema>
export type Checkout = z.output<typeof checkoutSchema>

/** Body of `PUT /api/subscription`; `prorationAt` as the preview said it, so that what was shown is charged. */
export const changePlanSchema = z
  .strictObject({ ...choiceFields, version: versionSchema, prorationAt: z.int().positive().nullable().default(null) })
  .refine(isAllowedCombination, COMBINATION_ERROR)
export type ChangePlanInput = z.input<typeof changePlanSchema>

/** A plan with its add-ons, as chosen or as held. */
export interface PlanChoice {
  planId: PlanId
  interval: BillingInterval
  addOns: AddOnQuantities
}

/** Body of `POST /api/subscription/cancel` and `/resume`. */
export const versionOnlySchema = z.strictObject({ version: versionSchema })

const plainTextSchema = (max: number, { lines = false } = {}) =>
  z
    .string()
    .max(max, { message: `Enter at most ${max} characters.` })
    .transform((text) => text.normalize('NFC').trim())
    .refine((text) => !CONTROL_CHARACTERS.test(lines ? text.replace(/\r?\n/g, ' ') : text), {
      message: 'Enter plain text.',
    })
const CONTROL_CHARACTERS = /[\u0000-\u001f\u007f\u202a-\u202e\u2066-\u2069]/

/** A text that may be left out; otherwise what the schema asks for, with its sentence. */
const optionalTextSchema = (schema: z.ZodType<string, string>) =>
  z.string().transform((text, ctx) => {
    if (text.trim() === '') return ''
    const parsed = schema.safeParse(text)
    if (parsed.success) return parsed.data
    ctx.addIssue({ code: 'custom', message: parsed.error.issues[0]?.message ?? 'Check this field.' })
    return z.NEVER
  })

/** Body of `PUT /api/subscription/details`: what stands on invoices and where they go. Empty texts = nothing stated. */
export const billingDetailsSchema = z.strictObject({
  companyName: plainTextSchema(100),
  billingEmail: optionalTextSchema(emailSchema),
  taxId: optionalTextSchema(taxIdSchema),
  poReference: plainTextSchema(30),
  version: versionSchema,
})
export type BillingDetailsInput = z.input<typeof billingDetailsSchema>
export type BillingDetails = Omit<z.output<typeof billingDetailsSchema>, 'version'>

const idsSchema = z.array(z.string().max(40)).max(1_000)
/** Body of `PUT /api/subscription/keep`: what stays when the plan becomes smaller. Everything else follows by age. */
export const retainSchema = z.strictObject({
  sources: idsSchema,
  members: idsSchema,
  insights: idsSchema,
  groupings: idsSchema,
  forecasts: idsSchema,
})
export type RetainInput = z.input<typeof retainSchema>

/** Body of `POST /api/subscription/contact`: a question about a plan made for the workspace. */
export const contactSalesSchema = z.strictObject({
  people: z.int().min(1).max(100_000),
  message: plainTextSchema(2_000, { lines: true }).refine((text) => text !== '', { message: 'Enter what you need.' }),
})
export type ContactSalesInput = z.input<typeof contactSalesSchema>

export interface LimitUsage {
  limit: LimitName
  used: number
  /** Null = unlimited. */
  max: number | null
  /** When `used` begins anew; null = it does not. */
  resetsAt: string | null
}

/** Instants are ISO texts. */
export interface SubscriptionView {
  state: SubscriptionState
  planId: PlanId | null
  tier: number | null
  /** Null: nothing has been bought. */
  interval: BillingInterval | null
  addOns: AddOnQuantities
  method: PaymentMethod | null
  trialEndsAt: string | null
  periodEndsAt: string | null
  /** When the subscription ends, if it was cancelled. */
  cancelAt: string | null
  /** While `past_due`: when the workspace becomes read-only. */
  graceEndsAt: string | null
  invoiceDueAt: string | null
  scheduled: (PlanChoice & { at: string }) | null
  details: BillingDetails
  meters: LimitUsage[]
  /** What does not work now because the plan is smaller than what is there; null = nothing. */
  frozen: OverLimitSummary | null
  /** Whether what stays may be chosen now. */
  mayChoose: boolean
  /** Managed by the operator: nothing to buy or cancel here. */
  custom: boolean
  version: number
}

export interface OverLimitItem {
  id: string
  name: string
  createdAt: string
  stays: boolean
  /** Stays whatever is chosen: an owner. */
  always?: boolean
  /** Of people only. */
  role?: Role
}
export interface OverLimitList {
  max: number
  items: OverLimitItem[]
}
/** What stops working under a plan. Nothing is deleted; everything comes back when there is room again. */
export interface OverLimitSummary {
  sources: OverLimitList | null
  analysts: OverLimitList | null
  users: OverLimitList | null
  insights: OverLimitList | null
  groupings: OverLimitList | null
  forecasts: OverLimitList | null
  gates: GateName[]
}

export interface PriceLine {
  text: string
  amount: MoneyAmount
}
export interface ChangePreview {
  /** `checkout`: by a first payment; `now`: at once; `periodEnd`: when what is paid for has been used; `none`: no change. */
  when: 'checkout' | 'now' | 'periodEnd' | 'none'
  /** When it takes effect. */
  at: string
  /** What is charged at once, and of what it is made. */
  dueNow: MoneyAmount
  lines: PriceLine[]
  /** What each period costs from then on, and when it is first charged. */
  recurring: MoneyAmount
  recurringFrom: string
  /** Handed back with the change. */
  prorationAt: number | null
  freezes: OverLimitSummary | null
}

export const INVOICE_STATES = ['draft', 'open', 'paid', 'void', 'uncollectible'] as const
export interface InvoiceView {
  id: string
  number: string | null
  state: (typeof INVOICE_STATES)[number]
  overdue: boolean
  total: MoneyAmount
  due: MoneyAmount
  issuedAt: string
  dueAt: string | null
  paidAt: string | null
  /** Null where VAT is not the customer's to pay; numbers are null where the invoice gives none. */
  reverseCharge: { sellerVatNumber: string | null; customerVatNumber: string | null } | null
  /** Page where it is seen and paid. */
  url: string | null
  pdf: string | null
}
/** An invoice that is to come. */
export interface UpcomingInvoice {
  at: string
  total: MoneyAmount
  lines: PriceLine[]
}
/** `GET /api/subscription/upcoming`. */
export interface UpcomingInvoices extends UpcomingInvoice {
  /** Premium sync beside an older tier has an invoice of its own, in another currency. */
  beside: UpcomingInvoice | null
}
