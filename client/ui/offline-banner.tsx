import { Alert } from '@mantine/core'
import { useNetwork } from '@mantine/hooks'
import { IconWifiOff } from '@tabler/icons-react'

export function OfflineBanner() {
  const { online } = useNetwork()
  if (online) return null
  return (
    <Alert
      className="offline-banner no-print"
      color="yellow"
      py={8}
      icon={<IconWifiOff size={18} aria-hidden />}
      role="status"
    >
      You are offline. What is on screen stays; changes wait until the connection is back.
    </Alert>
  )
}
