/** The nonce of this page's content security policy: scripts and style sheets made in the browser carry it. */
export const pageNonce = (): string =>
  document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? ''
