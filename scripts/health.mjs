// Whether a local server serves: what its own probe says.
const TRIES = 40
const PAUSE_MS = 250

/** Asks `/health` until it is well, ten seconds long. @returns null, or what is wrong, in a line */
export async function untilWell(url) {
  let problem = ''
  for (let tries = 0; tries < TRIES; tries++) {
    if (tries > 0) await new Promise((next) => setTimeout(next, PAUSE_MS))
    try {
      const answer = await fetch(new URL('/health', url))
      if (answer.ok) return null
      const text = await answer.text()
      problem = `/health answers ${answer.status}: ${text}`
      // The database will not migrate itself.
      if (text.includes('"migration":null'))
        return `the database has no tables yet: npm start brings its migrations. ${problem}`
      if (text.includes('"database":"older"'))
        return `the database is older than the build: npm start brings its migrations. ${problem}`
    } catch (error) {
      problem = `/health cannot be reached: ${String(error)}`
    }
  }
  return problem
}
