/** Keys under which the product is known to each stand-in. */
export const FORTNOX_TEST_KEYS = { clientId: 'stand-in-fortnox', clientSecret: 'secret-of-the-stand-in' } as const
export const SHEETS_TEST_KEYS = { clientId: 'stand-in-sheets', clientSecret: 'secret-of-the-stand-in' } as const
export const VISMA_TEST_KEYS = { clientId: 'stand-in-visma', clientSecret: 'secret-of-the-stand-in' } as const
