// Stands in for Google and Microsoft on a person's own machine, where no keys of the real ones are set.

/**
 * Starts the stand-in beside a local server, on the next port; it ends with this process. Answers the settings under
 * which the server signs people in there, or none.
 */
export async function providerSettings(settings, port) {
  const real = settings.GOOGLE_CLIENT_ID || settings.MICROSOFT_CLIENT_ID
  if (real || !/^(1|true)$/.test(settings.LOCAL_MODE ?? '')) return {}
  const { startOidc } = await import('../emulators/oidc/server.ts')
  return (await startOidc({ port: port + 1 })).settings
}
