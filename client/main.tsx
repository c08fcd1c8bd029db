import '@fontsource-variable/inter/wght.css'
import '@mantine/core/styles.css'
import { createRoot } from 'react-dom/client'
import './ui/styles.css'
import { App } from './app'
import { startMonitoring } from './lib/monitoring'
import { readPageData, setSession } from './lib/session'

const root = document.getElementById('root')
if (root) {
  const data = readPageData()
  setSession(data)
  createRoot(root).render(<App theme={data.theme} />)
  void startMonitoring(data.config)
}
