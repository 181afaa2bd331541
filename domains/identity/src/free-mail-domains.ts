/**
 * Providers where everybody can get an address. Kept by hand: the published lists are a hundred times longer, mostly
 * of throw-away domains that no organization would try to claim, and their packages run scripts when installed.
 */
const FREE_MAIL_DOMAINS = new Set(
  `
  gmail.com googlemail.com
  outlook.com hotmail.com live.com msn.com passport.com hotmail.co.uk hotmail.fr hotmail.de hotmail.it hotmail.es
  outlook.fr outlook.de outlook.es outlook.it outlook.jp outlook.com.br live.co.uk live.fr live.nl live.de live.it
  yahoo.com yahoo.co.uk yahoo.fr yahoo.de yahoo.it yahoo.es yahoo.ca yahoo.co.in yahoo.in yahoo.co.jp yahoo.com.br
  yahoo.com.au yahoo.com.ar yahoo.com.mx ymail.com rocketmail.com myyahoo.com
  icloud.com me.com mac.com
  aol.com aim.com aol.co.uk
  proton.me protonmail.com protonmail.ch pm.me
  gmx.com gmx.net gmx.de gmx.at gmx.ch gmx.us web.de t-online.de freenet.de arcor.de posteo.de mailbox.org
  mail.com email.com usa.com post.com consultant.com mail.ru inbox.ru list.ru bk.ru internet.ru
  yandex.com yandex.ru ya.ru rambler.ru
  zoho.com zohomail.com zohomail.eu
  fastmail.com fastmail.fm hey.com tutanota.com tutanota.de tuta.io tuta.com keemail.me
  qq.com foxmail.com 163.com 126.com yeah.net sina.com sina.cn sohu.com aliyun.com 139.com 189.cn
  naver.com hanmail.net daum.net nate.com kakao.com
  docomo.ne.jp ezweb.ne.jp softbank.ne.jp
  orange.fr wanadoo.fr free.fr laposte.net sfr.fr bbox.fr neuf.fr
  libero.it virgilio.it tiscali.it alice.it tin.it
  wp.pl o2.pl interia.pl onet.pl op.pl gazeta.pl
  seznam.cz centrum.cz atlas.cz azet.sk zoznam.sk
  uol.com.br bol.com.br terra.com.br ig.com.br globo.com
  rediffmail.com indiatimes.com
  btinternet.com sky.com virginmedia.com ntlworld.com blueyonder.co.uk talktalk.net
  comcast.net verizon.net att.net sbcglobal.net bellsouth.net cox.net charter.net earthlink.net juno.com netzero.net
  rogers.com shaw.ca sympatico.ca telus.net videotron.ca
  bigpond.com bigpond.net.au optusnet.com.au xtra.co.nz
  ziggo.nl kpnmail.nl planet.nl home.nl hetnet.nl telenet.be skynet.be
  bluewin.ch hispeed.ch sunrise.ch
  telia.com spray.se online.no getmail.no
  abv.bg ukr.net i.ua meta.ua walla.co.il walla.com
  mailinator.com guerrillamail.com 10minutemail.com temp-mail.org yopmail.com trashmail.com duck.com
  `
    .trim()
    .split(/\s+/),
);

export function isFreeMailDomain(domain: string): boolean {
  return FREE_MAIL_DOMAINS.has(domain.toLowerCase());
}
