import { pageNonce } from './lib/page-nonce'
import { installTrustedTypes } from './lib/trusted-types'

// A script of its own, run before the app and its libraries: what these look for while they load. It imports none of them.

declare global {
  /** Where the library that holds the page still behind a dialog looks for the nonce of its style sheet. */
  var __webpack_nonce__: string | undefined
  /** Settings of the library of schemas. `jitless`: it is not to try whether it may make functions of text. It may not. */
  var __zod_globalConfig: { jitless?: boolean } | undefined
}

installTrustedTypes()
globalThis.__webpack_nonce__ = pageNonce()
globalThis.__zod_globalConfig = { jitless: true }
