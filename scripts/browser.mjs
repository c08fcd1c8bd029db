// Finds the browser that the journeys drive; installs Debian's when this is root on a machine that has apt-get.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
const PLACES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
]

function onPath(name) {
  const found = spawnSync(process.platform === 'win32' ? 'where' : 'which', [name], { encoding: 'utf8' })
  return found.status === 0 ? found.stdout.split('\n')[0].trim() : null
}

function lookUp() {
  if (process.env.CHROME_PATH) return process.env.CHROME_PATH
  return NAMES.map(onPath).find(Boolean) ?? PLACES.find((place) => existsSync(place)) ?? null
}

/** Path of a Chromium, or null when there is none and none can be installed. */
export function findBrowser() {
  const found = lookUp()
  if (found || process.getuid?.() !== 0 || !onPath('apt-get')) return found
  console.log('No browser found: installing Chromium from the distribution.')
  spawnSync('apt-get', ['update', '-qq'], { stdio: 'ignore' })
  spawnSync('apt-get', ['install', '-y', '-qq', 'chromium'], { stdio: ['ignore', 'ignore', 'inherit'] })
  return lookUp()
}
