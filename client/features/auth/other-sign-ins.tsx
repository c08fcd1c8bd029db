import { Button, Divider, Stack } from '@mantine/core'
import { IconBrandGoogle, IconBrandWindows } from '@tabler/icons-react'
import { useSession } from '../../lib/session'

/** Sign-in with Google or Microsoft, where the installation has keys for it. */
export function OtherSignIns() {
  const { google, microsoft } = useSession().config.signIn
  if (!google && !microsoft) return null
  return (
    <Stack gap="sm" mt="lg">
      <Divider label="or" />
      {google && (
        <Button
          component="a"
          href="/api/auth/signin/google"
          variant="default"
          leftSection={<IconBrandGoogle size={17} aria-hidden />}
        >
          Continue with Google
        </Button>
      )}
      {microsoft && (
        <Button
          component="a"
          href="/api/auth/signin/microsoft-entra-id"
          variant="default"
          leftSection={<IconBrandWindows size={17} aria-hidden />}
        >
          Continue with Microsoft
        </Button>
      )}
    </Stack>
  )
}
