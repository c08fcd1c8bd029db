import { Button, Divider, Stack } from '@mantine/core'
import { IconBrandGoogle, IconBrandWindows, IconBuildingStore } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useSession } from '../../lib/session'
import { signInToDemo } from '../../lib/session-calls'
import { FormError } from '../../ui/form-error'

/** Sign-in with Google or Microsoft where the installation has keys for it, and the demo on a person's own machine. */
export function OtherSignIns({ onSignedIn }: { onSignedIn: () => void }) {
  const { google, microsoft, demo } = useSession().config.signIn
  if (!google && !microsoft && !demo) return null
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
      {demo && <DemoSignIn onSignedIn={onSignedIn} />}
    </Stack>
  )
}

function DemoSignIn({ onSignedIn }: { onSignedIn: () => void }) {
  const enter = useMutation({ mutationFn: signInToDemo, onSuccess: onSignedIn })
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconBuildingStore size={17} aria-hidden />}
        loading={enter.isPending}
        onClick={() => enter.mutate()}
      >
        Look around with the sample company
      </Button>
      <FormError error={enter.error} />
    </>
  )
}
