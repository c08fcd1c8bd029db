import { AuthLayout } from '../features/identity/auth-layout'
import { ReportInvitationScreen } from '../features/invites/report-invitation-screen'

export const ReportInvitationRoute = () => <ReportInvitationScreen frame={(page) => <AuthLayout {...page} />} />
