/**
 * How amounts of other currencies are brought to one: by the rate of each row's day, the average of its month, the last
 * rate of its month, or the rate fixed for budgets.
 */
export const CURRENCY_MODES = ['transaction', 'average', 'closing', 'budget'] as const
export type CurrencyMode = (typeof CURRENCY_MODES)[number]
