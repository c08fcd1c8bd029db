import { Alert, Button, Group, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { IconMail } from '@tabler/icons-react'
import { LinkAnchor } from './buttons/links'
import { describeError } from '../lib/describe-error'
import { useSession } from '../lib/session'
import { resendEmailProof } from '../lib/session-actions'

/** Sends the mail again whose link confirms the address, and says so in its own place. */
export function ResendEmailProof() {
  const resend = useMutation({ mutationFn: resendEmailProof })
  const { title, advice } = resend.error ? describeError(resend.error) : { title: '', advice: '' }
  return (
    <Group gap="sm">
      <Button
        size="compact-sm"
        variant="default"
        loading={resend.isPending}
        disabled={resend.isSuccess}
        onClick={() => resend.mutate()}
      >
        Send again
      </Button>
      <Text span size="sm" c="dimmed" role="status">
        {resend.isSuccess && 'Email sent'}
        {resend.error && `${title}. ${advice}`}
      </Text>
    </Group>
  )
}

/** To somebody whose address waits for its proof: what does not work until then, and the ways on. */
export function ConfirmEmailNotice() {
  const { user } = useSession()
  if (!user || user.emailProven) return null
  return (
    <Alert
      color="gray"
      icon={<IconMail aria-hidden />}
      mb="md"
      role="status"
      title={user.email === null ? 'Add your email' : 'Confirm your email'}
    >
      <Text size="sm" mb="xs" style={{ overflowWrap: 'anywhere' }}>
        {user.email === null
          ? 'You can invite people and get alerts by email once it’s confirmed.'
          : `Open the link we sent to ${user.email}. Until then you can’t invite people or get alerts by email.`}
      </Text>
      <Group gap="sm">
        {user.email !== null && <ResendEmailProof />}
        <LinkAnchor to="/settings/profile/authentication" size="sm">
          {user.email === null ? 'Add email' : 'Change email'}
        </LinkAnchor>
      </Group>
    </Alert>
  )
}
