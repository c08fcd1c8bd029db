import '@fontsource-variable/inter/wght.css'
import '@mantine/core/styles.css'
import { createRoot } from 'react-dom/client'
import './ui/styles.css'
import { SharedReportApp } from './routes/reports/shared-report'
import { readPageData, setSession } from './lib/session'

// Neither monitoring nor a router: the address is a secret, and there is nowhere to go.
const root = document.getElementById('root')
if (root) {
  setSession(readPageData())
  createRoot(root).render(<SharedReportApp token={window.location.pathname.split('/')[2] ?? ''} />)
}
