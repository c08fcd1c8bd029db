import { emulatorDoors } from './doors'
import type { ConnectorFixture } from './fixture'
import { createFileServer } from '../../../emulators/files/file-server.ts'

/** A file behind a key that travels in a header. */
export function urlFixture(): ConnectorFixture {
  const settings = { url: 'https://files.example.com/orders.csv' }
  return {
    connection: { settings, secrets: { headers: 'X-Api-Key: key-that-opens' } },
    refused: { settings, secrets: { headers: 'X-Api-Key: wrong' } },
    doors: () => {
      const server = createFileServer({ key: 'key-that-opens' })
      server.put('/orders.csv', 'id,day,amount\n1,2026-01-01,10\n2,2026-01-02,20\n3,2026-01-03,30\n')
      return emulatorDoors((request) => server.answer(request))
    },
  }
}
