/** Keys under which the product is known to each stand-in. */
export const FORTNOX_TEST_KEYS = { clientId: 'stand-in-fortnox', clientSecret: 'secret-of-the-stand-in' } as const
export const SHEETS_TEST_KEYS = { clientId: 'stand-in-sheets', clientSecret: 'secret-of-the-stand-in' } as const
export const VISMA_TEST_KEYS = { clientId: 'stand-in-visma', clientSecret: 'secret-of-the-stand-in' } as const
/** The restricted key of the made-up Stripe account, which reads everything that a connection reads. */
export const STRIPE_DATA_KEY = 'rk_test_stand_in_reads_everything'
/** An app of the made-up store's own, and a token of the kind that the store's admin once gave. */
export const SHOPIFY_TEST_KEYS = { clientId: 'stand-in-shopify', clientSecret: 'secret-of-the-stand-in' } as const
export const SHOPIFY_TEST_TOKEN = 'shpat_stand_in_reads_everything'
