/** The header in which a call carries the token of the check that tells people from programs. */
export const APP_CHECK_HEADER = 'x-app-check'
/** Where the widget comes from and runs; pages admit it only where the check is configured. */
export const APP_CHECK_ORIGIN = 'https://challenges.cloudflare.com'
