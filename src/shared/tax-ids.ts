import { z } from 'zod'

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

export const taxIdSchema = z.string().transform((text, ctx) => {
  const taxId = canonicalTaxId(text)
  if (taxId !== null) return taxId
  ctx.addIssue({ code: 'custom', message: 'Enter an EU VAT number with its country, like SE556677889901.' })
  return z.NEVER
})
