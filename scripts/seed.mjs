// Seeds a fresh local installation through its own HTTP API: the demo person, their workspace, the sample company.
// A sample that somebody removed stays removed.
const LOOK_AGAIN_MS = 500
const GIVE_UP_MS = 5 * 60_000
const DEMO_EMAIL = 'demo@example.com'

/** A visitor of the local server: keeps cookies, the anti-forgery token and the workspace as a browser does. */
function visitor(address) {
  const cookies = new Map()
  let [csrf, workspace] = ['', '']
  const call = async (method, path) => {
    const response = await fetch(new URL(path, address), {
      method,
      headers: {
        accept: 'application/json',
        'content-type': 'application/json',
        origin: address,
        cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        'x-csrf-token': csrf,
        ...(workspace === '' ? {} : { 'x-workspace': workspace }),
      },
    })
    for (const line of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (name !== undefined) cookies.set(name, value)
    }
    const body = await response.json()
    if (!response.ok) throw new Error(body.message)
    csrf = body.csrfToken ?? csrf
    workspace = body.workspace?.id ?? workspace
    return body
  }
  return { get: (path) => call('GET', path), post: (path) => call('POST', path) }
}

/** Prints each stage once; answers the state in which the sample company settles. */
async function followed(me, began) {
  let told = ''
  for (let sample = began; ; sample = await me.get('/api/sample')) {
    if (sample.state !== 'loading') return sample
    const line = `  Sample company: ${sample.message.toLowerCase()} (${sample.done + 1} of ${sample.stages})`
    if (line !== told) console.log(line)
    told = line
    if (Date.now() - began.at > GIVE_UP_MS) throw new Error('The sample company takes too long to come in.')
    await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS))
  }
}

/** Once for each folder of data. Whatever goes wrong is printed; the server serves on. */
export async function seed(address, password) {
  try {
    const me = visitor(address)
    await me.get('/api/session')
    await me.post('/api/session/demo')
    const found = await me.get('/api/sample')
    const began = found.state === 'failed' ? await me.post('/api/sample') : found
    const sample = await followed(me, { ...began, at: Date.now() })
    await me.post('/api/session/sign-out')
    if (sample.state === 'failed') console.error(`  The sample company could not be brought in. ${sample.message}`)
    console.log(`  Demo sign-in: ${address}/login\n    e-mail    ${DEMO_EMAIL}\n    password  ${password}\n`)
  } catch (error) {
    console.error(`  The demo could not be prepared: ${error.message}`)
  }
}
